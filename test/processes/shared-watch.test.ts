import { join } from 'node:path';
import { expect, test } from 'vitest';
import { registerLiveAccount } from './live-account.ts';
import { program, registerSessions } from './session.ts';

const { open, folder } = registerSessions();
const { env, simulator } = registerLiveAccount({ computers: 4 });

test('a second monitor gets its data from the first, and no monitor names a process', async () => {
	const start = (options = '') =>
		open({
			columns: 120,
			rows: 30,
			line: `exec ${process.execPath} ${program} ${options}`,
			env: {
				...env(),
				CROWSNEST_PASSWORD: simulator().password,
				CROWSNEST_STATE_DIR: join(folder(), 'state'),
				CROWSNEST_CONFIG_DIR: join(folder(), 'config'),
			},
		});
	const leader = start();
	await leader.sees('4 computers');
	await leader.sees('live, ');

	const follower = start();
	await follower.sees('4 computers');
	await follower.sees('live, ');

	const alone = start('--alone');
	await alone.sees('4 computers');
	await alone.sees('live, ');
	for (const each of [leader, follower, alone]) expect(each.text()).not.toMatch(/pane \d/);
});
