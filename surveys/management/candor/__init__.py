"""What an operator does with a site, one module per command: parse, one call, print.

`manage.py candor` lists them.
"""
