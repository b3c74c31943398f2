import { expect, test } from 'vitest';
import { createInputEvents } from '../../source/terminal/process/streams.ts';

test('a key reaches its listener in the turn of the event loop in which it was pressed', () => {
	const inputs = createInputEvents();
	const received: unknown[] = [];
	inputs.subscribe(input => received.push(input));
	inputs.notify({ key: 'j' });
	inputs.notify({ paste: 'k' });
	expect(received).toEqual([{ key: 'j' }, { paste: 'k' }]);
});

test('keys that were pressed before anyone listened are handed to the first listener', async () => {
	const inputs = createInputEvents();
	const received: unknown[] = [];
	inputs.notify({ key: 'j' });
	inputs.subscribe(input => received.push(input));
	await Promise.resolve();
	expect(received).toEqual([{ key: 'j' }]);
});
