import { expect, test } from 'vitest';
import { type Session, sessionsOf } from './session.ts';

const { open } = sessionsOf();

/** The terminal reports where the cursor stands after the glyphs. */
function answering(session: Session, answer: string) {
	session.terminal.parser.registerCsiHandler({ final: 'n' }, () => {
		session.pty.write(answer);
		return true;
	});
}

async function conditionsOf(session: Session) {
	await session.sees('q quit');
	session.press('I');
	const told = await session.until('the title', () => /\{.*\}/.exec(session.title())?.[0]);
	return JSON.parse(told);
}

test('draws Unicode on a terminal that shows each glyph in one cell', async () => {
	const session = open({ flags: ['--calm'] });
	expect(await conditionsOf(session)).toMatchObject({ hasUnicode: true });
	expect(session.received()).toContain('\u001B[6n');
	expect(session.text().split('\n')[1]).not.toContain('✖');
});

test.each(['\u001B[2;9R', '\u001B[2;13R'])(
	'draws ASCII on a terminal that answers %j',
	async answer => {
		const session = open({ flags: ['--calm'] });
		answering(session, answer);
		await session.sees('q quit');
		await session.until(
			'all of it drawn again',
			() => session.received().split('\u001B[J').length > 3,
		);
		expect(await conditionsOf(session)).toMatchObject({ hasUnicode: false });
	},
);

test('neither waits for an answer that never comes nor asks what it need not know', async () => {
	const silent = open({ flags: ['--calm'] });
	answering(silent, '');
	expect(await conditionsOf(silent)).toMatchObject({ hasUnicode: true });
	const certain = open({ flags: ['--calm', '--unicode'] });
	answering(certain, '\u001B[2;9R');
	expect(await conditionsOf(certain)).toMatchObject({ hasUnicode: true });
	expect(certain.received()).not.toContain('\u001B[6n');
});
