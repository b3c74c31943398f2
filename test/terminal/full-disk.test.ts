import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { registerLiveAccount } from './live-account.ts';
import { program, registerSessions } from './session.ts';

const { open, folder } = registerSessions();
const { env, simulator } = registerLiveAccount({ computers: 4 });

/** The system then refuses every byte of every file, as a full disk does. Without the trap, it would end the program. */
const withoutFiles = "trap '' XFSZ; ulimit -f 0;";

test('a monitor that can write no file shows the fleet, counts its requests alone, says once what is wrong, and quits as usual', async () => {
	const state = join(folder(), 'state');
	mkdirSync(state, { mode: 0o700 });
	const session = open({
		columns: 120,
		rows: 30,
		line: `${withoutFiles} exec ${process.execPath} ${program}`,
		env: {
			...env(),
			CROWSNEST_PASSWORD: simulator().password,
			...{ CROWSNEST_STATE_DIR: state, CROWSNEST_CONFIG_DIR: join(folder(), 'config') },
		},
	});
	await session.sees('4 computers');
	await session.sees('this process only');
	await session.sees('Cannot save the');
	await session.press('j');
	session.press('q');
	expect(await session.ended()).toMatchObject({ exitCode: 0 });
	// The snapshot, the credits and the journal fail for one reason.
	const files = session.received().match(/Cannot save the [\w ]+:/g);
	expect(new Set(files).size).toBe(1);
});
