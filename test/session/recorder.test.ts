import { expect, onTestFinished, test } from 'vitest';
import { openSession } from '../../source/session/session.ts';
import { createSimulator } from '../../source/simulator/simulator.ts';
import { createHeldClock } from '../held-clock.ts';

test('a session competes for the lease as soon as a read has ended, and says whether it is signed in', async () => {
	const clock = createHeldClock();
	const simulator = await createSimulator({ clock, computers: 1 });
	onTestFinished(simulator.close);
	const { baseUrl, authUrl, anonKey, email } = simulator;

	async function firstClaimWith(password: string): Promise<boolean> {
		const claims: boolean[] = [];
		const session = openSession(
			{ clock, msSinceBoot: clock.now, random: () => 0 },
			{
				account: 'test',
				baseUrl,
				fetch,
				credentials: { kind: 'password', authUrl, anonKey, email, password: async () => password },
				recorderLease: {
					hold(canRead) {
						claims.push(canRead);
						return 'taken';
					},
					release: () => {},
				},
			},
		);
		onTestFinished(() => session.close());
		session.watch.start();
		await expect
			.poll(() => {
				clock.move(50);
				return claims.length;
			})
			.toBeGreaterThan(0);
		return claims[0] === true;
	}

	expect(await firstClaimWith(simulator.password)).toBe(true);
	expect(await firstClaimWith('a password of the past')).toBe(false);
});
