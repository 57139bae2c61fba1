"""What the pages of authors draw, as data: the scripts in the browser know no statistics."""
