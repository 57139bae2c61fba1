"""Ways to group commits of responses, on disks as slow as one likes."""
