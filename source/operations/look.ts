import type { Clock } from '../fleet/clock.ts';
import type { Happening, Wish } from '../fleet/fact.ts';
import { PlatformError } from '../platform/platform-error.ts';
import type { Doer } from './rule.ts';

/** What is so, and when it was asked for. */
export type Looked = { happening: Happening; askedAt: number };

/** Looks at the computer of a refused request; nothing when that does not work either. */
export async function lookAt(
	{ operation, computer: id = '' }: Wish,
	{ platform, clock, signal }: { platform: Doer; clock: Clock; signal: AbortSignal },
): Promise<Looked | undefined> {
	let askedAt = clock.now();
	const onSent = () => {
		askedAt = clock.now();
	};
	const asking = { signal, priority: 'operation', onSent } as const;
	try {
		// The status does not tell of ports.
		const isAboutPort = operation === 'publish' || operation === 'unpublish';
		const happening: Happening = isAboutPort
			? { type: 'detailRead', computer: await platform.readComputer(id, asking) }
			: { type: 'statusRead', computer: await platform.readStatus(id, asking) };
		return { happening, askedAt };
	} catch (error) {
		if (!(error instanceof PlatformError)) throw error;
		if (error.failure.kind !== 'missing') return undefined;
		return { happening: { type: 'computerMissed', id }, askedAt };
	}
}
