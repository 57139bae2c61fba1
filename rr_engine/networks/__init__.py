"""Networks: rosters answered through the device, and statistics of the ties between people."""
