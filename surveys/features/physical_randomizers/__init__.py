"""Physical randomizers: devices in the respondent's own hand."""
