import { expect, test } from 'vitest';
import type { Change, OperationMove, StatusChange } from '../../source/fleet/change.ts';
import { spokenChange } from '../../source/speech/change-words.ts';
import { timedChangeSpans } from '../../source/wording/log-text.ts';
import { now } from '../arbitraries/values.ts';

const became = (from: string, to: string): StatusChange => ({
	type: 'statusChanged',
	at: now,
	notBefore: now,
	id: 'sb_1',
	name: 'atlas',
	from,
	to,
	lasted: 24_000,
});

const moved = (operation: 'stop' | 'publish', to: OperationMove['to']): OperationMove => ({
	type: 'operationMoved',
	at: now,
	wish: {
		key: 'k',
		operation,
		computer: 'sb_1',
		name: 'atlas',
		...(operation === 'publish' && { port: 8080 }),
	},
	to,
	took: 3000,
});

test.each<[string, Change]>([
	['atlas: starting → active in 24s', became('starting', 'active')],
	['atlas: stopping → error in 24s', became('stopping', 'error')],
	['atlas: stopped → starting after 24s', became('stopped', 'starting')],
	['atlas: active → stopping after 24s', became('running', 'stopping')],
	['atlas: starting → stopping after 24s', became('starting', 'stopping')],
	['stop atlas requested', moved('stop', 'sent')],
	['you stopped atlas', moved('stop', 'settled')],
	['you cancelled: publish port 8080 of atlas', moved('publish', 'cancelled')],
	['you published port 8080 of atlas', moved('publish', 'settled')],
	['could not publish port 8080 of atlas', moved('publish', 'failed')],
])('the log describes a change as "%s"', (text, change) => {
	const [, ...what] = timedChangeSpans(change, now);
	expect(what.map(([part]) => part).join('')).toBe(text);
});

test('a finished operation is spoken in the words of the log, and a sent operation as being in progress', () => {
	expect(spokenChange(moved('publish', 'settled'))).toBe('you published port 8080 of atlas');
	expect(spokenChange(moved('publish', 'sent'))).toBe('Publishing port 8080 of atlas: sent');
});
