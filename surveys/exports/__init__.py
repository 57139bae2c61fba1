"""Files for other programs: neutral tables, and one module for each format that writes them."""
