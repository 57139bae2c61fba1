"""The pages about one survey, one file each."""
