/** Forms: one with every type of field, and one made with zod. */
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { field, form, inputContext, inputRequired } from 'mcp-dual-era';
import { z } from 'zod';
import { textResult } from '../handlers/text.ts';

export function addReleaseTool(server: McpServer): void {
  // #region form
  const release = form({
    name: field.string({ title: 'Name', minLength: 3, maxLength: 40 }),
    contact: field.string({ title: 'Who knows more', format: 'email' }),
    page: field.string({ title: 'Where to read about it', format: 'uri', optional: true }),
    day: field.string({ title: 'Day', format: 'date' }),
    freeze: field.string({ title: 'No changes after', format: 'date-time', optional: true }),
    share: field.number({ title: 'Share of the users', minimum: 0, maximum: 1, default: 0.5 }),
    servers: field.integer({ title: 'Servers', minimum: 1, maximum: 12 }),
    announce: field.boolean({ title: 'Announce it', description: 'In the channel of the team', default: false }),
    urgency: field.choice(['low', 'high']),
    channel: field.choice([
      { const: 'stable', title: 'For everybody' },
      { const: 'beta', title: 'For testers' },
    ]),
    regions: field.choices(['europe', 'asia', 'america'], { title: 'Regions', minItems: 1 }),
    teams: field.choices(
      [
        { const: 'docs', title: 'Documentation' },
        { const: 'help', title: 'Support' },
      ],
      { title: 'Who helps', optional: true },
    ),
  });

  server.registerTool('plan_release', {}, (extra) => {
    const ctx = inputContext(extra);
    const plan = ctx.accepted('release', release);
    if (plan !== undefined) {
      const { name, channel, share, regions, day } = plan;
      return textResult(`${name} (${channel}, ${share}) goes to ${regions.join(' and ')} on ${day}.`);
    }
    if (ctx.round > 0) return textResult('No release was planned.');
    return inputRequired({
      inputRequests: { release: inputRequired.elicit({ message: 'Plan the release.', requestedSchema: release }) },
    });
  });
  // #endregion form
}

export function addBookingTool(server: McpServer): void {
  // #region zod
  const booking = z
    .object({
      email: z.email().toLowerCase().meta({ title: 'Your e-mail address' }),
      from: z.iso.date().meta({ title: 'First day' }),
      to: z.iso.date().meta({ title: 'Last day' }),
      seats: z.int().min(1).max(8).default(1),
    })
    .refine(({ from, to }) => from <= to, { path: ['to'], message: 'The last day is before the first' });

  function askForBooking(note?: string) {
    return inputRequired({
      inputRequests: { booking: inputRequired.elicit({ message: 'Book a room.', requestedSchema: booking, note }) },
    });
  }

  server.registerTool('book_room', {}, (extra) => {
    const ctx = inputContext(extra);
    if (ctx.round === 0) return askForBooking();
    const given = ctx.response('booking', booking);
    // Asked again with the reason: at most twice, then the call ends.
    if (given.kind === 'invalid') return askForBooking(given.issues.map(({ message }) => message).join('\n'));
    if (given.kind !== 'elicit' || given.content === undefined) return textResult('Nothing was booked.');
    const { email, from, to, seats } = given.content;
    return textResult(`Booked for ${email}: ${seats}, ${from} to ${to}.`);
  });
  // #endregion zod
}

export function addGeneratedTool(server: McpServer): void {
  server.registerTool('name_report', {}, (extra) => {
    const ctx = inputContext(extra);
    const report = z.object({ title: z.string().trim().min(3).meta({ title: 'Title' }) });
    const given = ctx.accepted('report', report);
    if (given !== undefined) return textResult(`The report is called "${given.title}".`);
    if (ctx.round > 0) return textResult('The report has no name.');
    // #region generated
    const question = inputRequired.elicit({
      message: 'What is the report called?',
      requestedSchema: z.toJSONSchema(report, { io: 'input' }),
    });
    // #endregion generated
    return inputRequired({ inputRequests: { report: question } });
  });
}
