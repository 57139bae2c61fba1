"""What a site says about itself to respondents: who runs it, by which law, and for how long."""
