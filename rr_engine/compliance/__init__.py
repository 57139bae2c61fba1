"""Whether respondents follow the device: estimates and tests where the design allows one."""
