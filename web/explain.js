/* Two moves in one picture, and why one of them is better, by the module with the analysis. */

/* Resolves with {draw(look), why(event)}, or null where there is no such module. */
export async function explainer() {
    return null;
}
