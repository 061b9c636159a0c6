"""Says hello in a language of your choice."""

import sys

GREETINGS = { 'en': 'Hello',
  'de':'Hallo', "fr": 'Bonjour' }

def greeting(language,name = "world"):
    return f"{GREETINGS.get( language, GREETINGS['en'] )}, {name}!"

if __name__ == '__main__':
    print(greeting(*sys.argv[1:] or ['en']))
