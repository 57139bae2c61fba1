"""The licence of the data: under which terms others may use what a survey publishes."""
