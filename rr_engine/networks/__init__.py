"""Networks: ties of a closed group, reported through a device, and what follows."""
