/* The shuffle of verplant, for the check of records: the whole deck, and again after each 6. */
const DECK = '3 3 3 4 4 5 5 6 x2 x2 x3 + + o'; /* where a record names none */
const KINDS = [/^\d/, /^x/, /^\+/, /^o/]; /* as they are sorted, and within each by number */

const kind = (card) => KINDS.findIndex((one) => one.test(card));

export const fair = {
    lines: ['deck'],
    pile: (header) => [...header('deck') ?? DECK.split(' ')].sort((a, b) =>
        kind(a) - kind(b) || (a < b ? -1 : Number(a > b))),
    dealt: (event) => /^card\s+(\S+)$/.exec(event)?.[1],
    again: (card) => card === '6',
};
