import { join } from 'node:path';
import { expect, test } from 'vitest';
import { registerLiveAccount } from './live-account.ts';
import { program, registerSessions } from './session.ts';

const { open, folder } = registerSessions();
const { env, simulator } = registerLiveAccount({ computers: 4 });

test('a second monitor gets its data from the first and says so, and one with --alone follows nobody', async () => {
	const start = (options = '', columns = 120) =>
		open({
			...{ columns, rows: 30, line: `exec ${process.execPath} ${program} ${options}` },
			env: {
				...env(),
				CROWSNEST_PASSWORD: simulator().password,
				CROWSNEST_STATE_DIR: join(folder(), 'state'),
				CROWSNEST_CONFIG_DIR: join(folder(), 'config'),
			},
		});
	const leader = start();
	await leader.sees('4 computers');
	await leader.sees('● live');

	const follower = start();
	await follower.sees(`from pane ${leader.pty.pid}`);
	const narrow = start('', 80);
	await narrow.sees(`4 computers from pane ${leader.pty.pid}`);

	const alone = start('--alone');
	await alone.sees('4 computers');
	await alone.sees('● live');
	expect(alone.text()).not.toContain('from pane');
	expect(leader.text()).not.toContain('from pane');
});
