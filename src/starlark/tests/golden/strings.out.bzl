a = "x"
a = 'say "x"'
a = "it's"
a = "it\'s"
a = "A\000"
a = "\\d"
a = '''doc
"quoted" \n end'''
a = r"\d"
a = r'"'
a = "\303\251"
a = "é"
a = "tab\t"
a = "a\
b"
a = '''ends with "'''
