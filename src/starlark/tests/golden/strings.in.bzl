a = 'x'
a = 'say "x"'
a = 'it\'s'
a = "it\'s"
a = '\x41\0'
a = "\d"
a = '''doc
"quoted" \n end'''
a = r'\d'
a = r'"'
a = 'é'
a = "é"
a = 'tab	'
a = "a\
b"
a = '''ends with "'''
