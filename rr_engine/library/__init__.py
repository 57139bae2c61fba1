"""What no page of Candor needs: methods for Python users, offered by the modules of their task."""
