import { onTestFinished } from 'vitest';
import { createSimulator, type SimulatorOptions } from '../../source/simulator/simulator.ts';
import { createHeldClock } from '../held-clock.ts';

export type SimulatorResponse = { status: number; headers: Headers; text: string; body: unknown };

const plenty = { create: 10_000, status: 10_000, other: 10_000 };
const json = { 'Content-Type': 'application/json' };

/** Starts a simulator on a held clock, with a token that does not expire and very large limits. */
export async function openSimulator(options: Partial<SimulatorOptions> = {}) {
	const clock = createHeldClock();
	const simulator = await createSimulator({
		clock,
		limits: plenty,
		tokenLifetimeSeconds: 1_000_000_000,
		...options,
	});
	onTestFinished(() => simulator.close());
	const { authUrl, anonKey, email, password } = simulator;

	async function responseTo(url: string, init: RequestInit): Promise<SimulatorResponse> {
		const answer = await fetch(url, { ...init, redirect: 'manual' });
		const text = await answer.text();
		return { status: answer.status, headers: answer.headers, text, body: parsed(text) };
	}

	const signIn = (credentials: object = { email, password }, apikey = anonKey) =>
		responseTo(`${authUrl}/auth/v1/token?grant_type=password`, {
			method: 'POST',
			headers: { ...json, apikey },
			body: JSON.stringify(credentials),
		});

	const ask = (
		method: string,
		path: string,
		body?: unknown,
		headers: Record<string, string> = {},
	) =>
		responseTo(`${simulator.baseUrl}${path}`, {
			method,
			headers: { ...json, Authorization: `Bearer ${token}`, ...headers },
			...(body !== undefined && { body: JSON.stringify(body) }),
		});

	const token = String(valueAt((await signIn()).body, 'access_token'));

	return {
		simulator,
		world: simulator.world,
		clock,
		token,
		signIn,
		ask,
		get: (path: string) => ask('GET', path),
		post: (path: string, body?: unknown) => ask('POST', path, body),
		/** Sends any request without a token. */
		open: (path: string) => responseTo(`${authUrl}${path}`, {}),
		/** Returns the API path of the computer with this name. */
		path: (name: string) => `/platform/sandbox/${simulator.world.get(name).id}`,
	};
}

function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

/** Returns the value at a path in a body, such as `data.0.sandbox_id`. */
export function valueAt(body: unknown, path: string): unknown {
	return path
		.split('.')
		.reduce<unknown>((held, key) => (isObject(held) ? held[key] : undefined), body);
}

const isObject = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null;

export const seconds = (count: number) => count * 1_000;
export const minutes = (count: number) => count * 60_000;
export const hours = (count: number) => count * 3_600_000;
export const days = (count: number) => count * 86_400_000;
