const short = `a ${ value } and ${ call( {a:1} ) }`
const long = `
  ${items.map(item => { return item.name })}
    ${
  first
} and ${condition ? 'a value that is long enough' : 'another value that is long enough to break'}`
type Key = `${ Prefix }-${ 'a' | 'b' }`
