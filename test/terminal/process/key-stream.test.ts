import { expect, test } from 'vitest';
import { createKeyStream } from '../../../source/terminal/process/streams.ts';

function openKeys() {
	const stream = createKeyStream();
	const keys: string[] = [];
	const listen = () => {
		stream.on('readable', () => {
			for (let key = stream.read(); key !== null; key = stream.read()) keys.push(key);
		});
	};
	return { stream, keys, listen };
}

test('a key reaches its reader in the turn of the event loop in which it was pressed', () => {
	const { stream, keys, listen } = openKeys();
	listen();
	stream.push('j');
	stream.push('k');
	expect(keys).toEqual(['j', 'k']);
});

test('keys that were pressed before anyone listened are read as soon as someone does', async () => {
	const { stream, keys, listen } = openKeys();
	stream.push('j');
	stream.push('k');
	listen();
	await Promise.resolve();
	expect(keys).toEqual(['j', 'k']);
});
