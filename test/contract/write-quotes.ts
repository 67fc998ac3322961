import { writeFileSync } from 'node:fs';
import { PAGES, pathOf, read, withQuotes } from './quotes.ts';

// Fills the code fences of the pages from the files they name: run it after changing a quoted file.
for (const page of PAGES) writeFileSync(pathOf(page), withQuotes(read(page)));
