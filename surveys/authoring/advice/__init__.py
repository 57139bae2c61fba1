"""Advice for a draft: how strongly each question is to be scrambled, and why.

An author says how harmful a leak would be, how many will answer and which margin is needed
(`wishes`). What has one epsilon is a spender (`spenders`); `useful` says which of them can find
something together, `proposal` divides over them what may be spent, `exits` says what a wish takes
that does not fit, `other_ways` how a question could be asked that finds nothing, and `words` and
`exit_words` put all of it into sentences.
"""
