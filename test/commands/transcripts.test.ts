import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { transcriptOf } from './open.ts';
import { transcripts } from './transcripts.ts';

test.each(transcripts)('the commands of “$name” print what its file says', async transcript => {
	await expect(`${await transcriptOf(transcript)}\n`).toMatchFileSnapshot(`${transcript.name}.txt`);
});

test('every transcript file belongs to a row', () => {
	const files = readdirSync(import.meta.dirname).filter(name => name.endsWith('.txt'));
	const expected = transcripts.map(({ name }) => `${name}.txt`);
	expect(files.filter(name => !expected.includes(name))).toEqual([]);
	expect(files.length).toBeLessThanOrEqual(120);
});
