import { onTestFinished, vi } from 'vitest';
import { type Lookout, openLookout } from '../../source/commands/lookout.ts';
import { showLookout } from '../../source/commands/show-lookout.tsx';
import { createSignInDesk } from '../../source/commands/sign-in-desk.ts';
import { failureOf, PlatformError } from '../../source/platform/platform-error.ts';
import { createSimulator } from '../../source/simulator/simulator.ts';
import { createHeldClock } from '../held-clock.ts';
import { createStageTerminal } from './stage.ts';

/** The monitor of an account whose password has to be typed. */
export async function openSignInStage(size: readonly [number, number] = [120, 36]) {
	const clock = createHeldClock();
	const simulator = await createSimulator({ clock, computers: 7 });
	const { email } = simulator;
	const desk = createSignInDesk({ profile: 'work', email, host: 'id.example' }, () => lookout);
	let accessToken = '';
	const host = { clock, elapsed: clock.now, random: () => 0.5 };
	const lookout: Lookout = openLookout(host, {
		account: 'work',
		baseUrl: simulator.baseUrl,
		credentials: {
			kind: 'password',
			authUrl: simulator.authUrl,
			anonKey: simulator.anonKey,
			email,
			password: (signal, refused) =>
				desk.ask(signal, refused?.message).catch((error: unknown) => {
					const { message } = error instanceof Error ? error : { message: 'no password' };
					throw new PlatformError(failureOf('auth', message));
				}),
		},
		fetch,
		tokens: {
			load: () => undefined,
			keep(token) {
				accessToken = token.accessToken;
			},
			drop() {},
		},
	});
	const terminal = createStageTerminal(size);
	const shown = showLookout({ lookout, desk, terminal, clock, isPlain: true });
	onTestFinished(async () => {
		shown.close();
		await lookout.close();
		await simulator.close();
	});
	const text = () => terminal.frame();
	const turn = async () => {
		for (let count = 0; count < 4; count += 1) await new Promise(setImmediate);
	};
	return {
		...terminal,
		clock,
		simulator,
		lookout,
		text,
		/** The platform no longer takes the token, as after a restart of it. */
		async revoke() {
			const headers = { apikey: simulator.anonKey, authorization: `Bearer ${accessToken}` };
			await fetch(`${simulator.authUrl}/auth/v1/logout`, { method: 'POST', headers });
		},
		see: (wanted: string | RegExp) =>
			vi.waitFor(() => {
				clock.move(0);
				const isThere = typeof wanted === 'string' ? text().includes(wanted) : wanted.test(text());
				if (!isThere) throw new Error(`not on screen: ${wanted}\n\n${text()}`);
			}, 10_000),
		async press(...names: readonly string[]) {
			const keys: Readonly<Record<string, string>> = {
				enter: '\r',
				escape: '\x1b',
				'ctrl-c': '\x03',
			};
			for (const name of names) {
				terminal.type(keys[name] ?? name);
				await new Promise(resolve => setTimeout(resolve, name === 'escape' ? 30 : 0));
			}
		},
		async pass(milliseconds: number, step = 1000) {
			for (let left = milliseconds; left > 0; left -= step) {
				clock.move(Math.min(step, left));
				await turn();
			}
		},
	};
}
