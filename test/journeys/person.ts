import { vi } from 'vitest';
import type { Stage as WholeStage } from './stage.ts';

type Stage = Pick<WholeStage, 'clock' | 'press' | 'text' | 'simulator'>;

/** A question is deaf at first, so that a key meant for the table cannot answer it. */
export async function answer(stage: Stage, ...keys: readonly string[]): Promise<void> {
	stage.clock.move(300);
	await stage.press(...keys);
}

/** The cursor goes down to a computer, whatever the order of the table. */
export async function goTo(stage: Stage, name: string): Promise<void> {
	await stage.press('g');
	for (let row = 0; row < 30 && !stage.text().includes(`❯ ${name}`); row += 1)
		await stage.press('j');
}

/** Waits until that is on screen no more. */
export function unseen(stage: Stage, text: string): Promise<void> {
	return vi.waitFor(() => {
		if (stage.text().includes(text)) throw new Error(`still on screen: ${text}\n\n${stage.text()}`);
	}, 10_000);
}

/** All requests that would change something, and what the platform answered. */
export function deedsOf({ simulator }: Stage): readonly string[] {
	return simulator.requests
		.filter(({ method, scope }) => method !== 'GET' && scope !== 'auth')
		.map(({ method, path, status }) => {
			const computer = simulator.world.computers().find(({ id }) => path.includes(id));
			const place = path.split('/sandbox')[1] ?? path;
			return `${method} ${place.replace(computer?.id ?? '-', computer?.name ?? '')} ${status ?? '–'}`;
		});
}
