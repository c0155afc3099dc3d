"""The built-in operators: names, rules and recipes, an entry each."""
