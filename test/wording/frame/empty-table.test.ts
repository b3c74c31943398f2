import { expect, test } from 'vitest';
import { bindings } from '../../../source/keys/bindings.ts';
import { initialScreen } from '../../../source/screen/screen.ts';
import { emptyAccount } from '../../../source/store/state.ts';
import { emptyTableLines } from '../../../source/wording/frame/empty-table.ts';
import { now } from '../../arbitraries/values.ts';

const listed = {
	...emptyAccount,
	contact: { since: 0, lastAnswerAt: now },
	reads: { list: { answer: { askedAt: now, at: now, every: 5_000 } } },
};

const textOf = (...changes: readonly object[]) =>
	emptyTableLines(listed, 0, initialScreen(), now, Object.assign({ bindings }, ...changes))
		.map(line => line.map(([text]) => text).join(''))
		.join('\n');

test('an account without computers says how to begin, with the keys as they are bound', () => {
	expect(textOf()).toMatch(
		/No computers yet. n creates one.\n\nn asks for its name.*\n2 shows .*\n/,
	);
	const rebound = bindings.map(binding =>
		binding.action === 'create' ? { ...binding, keys: ['w'] } : binding,
	);
	expect(textOf({ bindings: rebound })).toMatch(/^\nNo computers yet. w creates one.\n\nw asks/);
});

test('a monitor that changes nothing does not offer to create a computer', () => {
	const refused = bindings.map(binding =>
		binding.action === 'create' ? { ...binding, isRefused: true } : binding,
	);
	expect(textOf({ bindings: refused })).toMatch(/^\nNo computers yet.*appear here/);
	expect(textOf({ bindings: refused })).not.toContain('creates');
});
