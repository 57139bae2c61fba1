import sys

from candor.respondent.program import main

main(*sys.argv[1:])
