"""Models as scikit-learn's estimators are used; without scikit-learn, which none of them needs."""
