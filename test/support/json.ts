/** A JSON object under test: members of any shape, read without a cast. */
// biome-ignore lint/suspicious/noExplicitAny: a test looks into messages whose shape is what it tests.
export type Json = Record<string, any>;
