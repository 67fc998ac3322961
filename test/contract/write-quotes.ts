import { writeFileSync } from 'node:fs';
import { drawPlots, PAGES, pathOf, read, withQuotes } from './quotes.ts';

// Fills the code fences of the pages from the files they name, and draws their plots: run it after changing a quoted file.
for (const page of PAGES) writeFileSync(pathOf(page), withQuotes(read(page)));
drawPlots(read('docs/sizing.md'), pathOf('docs/images'));
