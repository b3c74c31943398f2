import { type Answer, page } from './answer.ts';
import type { FaultKind } from './faults.ts';

/** What goes over the connection. */
export type Wire = { status: number; headers: Record<string, string>; text: string };

export function wireFrom({ status, headers, json, html }: Answer): Wire {
	if (html !== undefined) {
		return {
			status,
			headers: { ...headers, 'Content-Type': 'text/html; charset=utf-8' },
			text: html,
		};
	}
	if (json === undefined) return { status, headers: { ...headers }, text: '' };
	return {
		status,
		headers: { ...headers, 'Content-Type': 'application/json; charset=utf-8' },
		text: JSON.stringify(json),
	};
}

/** The answer as it arrives where something on the way, or in the service, has spoilt it. */
export function damaged(wire: Wire, fault: FaultKind | undefined): Wire {
	const json = (text: string) => ({ ...wire, status: 200, text });
	switch (fault) {
		case 'proxy-page':
			return { ...wire, ...wireFrom(page(200, 'Welcome', 'Please sign in to the network.')) };
		case 'broken-json':
			return { ...wire, text: `${wire.text.slice(0, Math.ceil(wire.text.length / 2))}{"` };
		case 'empty':
			return { ...wire, text: '' };
		case 'wrong-type':
			return json('[1,2,3]');
		case 'null-data':
			return json('{"data":null}');
		case '303':
			return { ...wire, status: 303, headers: { ...wire.headers, Location: '/v1/jobs/1' } };
		case '408':
		case '425':
		case '499':
			return { ...json('{"error":"the client was given up"}'), status: Number(fault) };
		case 'crowded':
			return json(`[${'{},'.repeat(700_000)}{}]`);
		case 'deep':
			return json('['.repeat(1_000) + ']'.repeat(1_000));
		default:
			return wire;
	}
}
