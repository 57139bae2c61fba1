"""Views: parse, authorise, call one service or queryset, answer."""
