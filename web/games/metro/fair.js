/* The shuffle of metro, for the check of records: one stock of all tiles, whoever gets them. */
const COPIES = {
    4: 'aacb cbaa acba baac aaaa',
    3: 'cbcb bcbc',
    2: 'cccc bbbb dacc cdac ccda accd dbba adbb badb bbad ddbc cddb bcdd dbcd adad dada dddd',
};

export const fair = {
    pile: () => Object.entries(COPIES).flatMap(([copies, tiles]) =>
        tiles.split(' ').flatMap((tile) => Array(Number(copies)).fill(tile))).sort(),
    dealt: (event) => /^deal\s+\d\s+(\S+)$/.exec(event)?.[1],
};
