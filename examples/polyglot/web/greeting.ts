export interface Greeting { language:string, text:string }

export function greet( greeting:Greeting, name = 'world' ):string {
    return `${ greeting.text }, ${ name }!`
}
