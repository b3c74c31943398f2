import { statusWordOf } from './endpoints/encode-computer.ts';
import type { FaultKind } from './endpoints/faults.ts';
import type { Shapes } from './endpoints/shapes.ts';
import { type Answer, htmlPage, type Refusal } from './world/answer.ts';

/** An encoded HTTP response. */
export type WireResponse = { status: number; headers: Record<string, string>; text: string };

export function wireResponseFrom({ status, headers, json, html }: Answer): WireResponse {
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

/** Returns the response after a fault of the service or of a proxy has damaged it. */
export function damagedResponse(wire: WireResponse, fault: FaultKind | undefined): WireResponse {
	const jsonResponse = (text: string) => ({ ...wire, status: 200, text });
	switch (fault) {
		case 'proxy-page':
			return {
				...wire,
				...wireResponseFrom(htmlPage(200, 'Welcome', 'Please sign in to the network.')),
			};
		case 'broken-json':
			return { ...wire, text: `${wire.text.slice(0, Math.ceil(wire.text.length / 2))}{"` };
		case 'empty':
			return { ...wire, text: '' };
		case 'wrong-type':
			return jsonResponse('[1,2,3]');
		case 'null-data':
			return jsonResponse('{"data":null}');
		case '303':
			return { ...wire, status: 303, headers: { ...wire.headers, Location: '/v1/jobs/1' } };
		case '408':
		case '425':
		case '499':
			return { ...jsonResponse('{"error":"the client took too long"}'), status: Number(fault) };
		case 'crowded':
			return jsonResponse(`[${'{},'.repeat(700_000)}{}]`);
		case 'deep':
			return jsonResponse('['.repeat(1_000) + ']'.repeat(1_000));
		default:
			return wire;
	}
}

/** Encodes a refusal in the configured error shape. */
export function refusalAnswer(refusal: Refusal, shapes: Shapes, origin: string): Answer {
	const { status, code, message } = refusal;
	const state = refusal.computer && { status: statusWordOf(refusal.computer, shapes) };
	const portal = refusal.isPayable && { portal_url: `${origin}/portal` };
	switch (shapes.error) {
		case 'documented':
			return { status, json: { error: { message, code }, ...state } };
		case 'text':
			return { status, json: { success: false, error: message, ...state } };
		case 'coded':
			return { status, json: { success: false, error: message, code, ...portal, ...state } };
		case 'message':
			return { status, json: { message, ...state } };
		case 'html':
			return htmlPage(status, `${status}`, message);
		case 'empty':
			return { status };
	}
}

/** Encodes a refusal of the identity provider, whose error codes and shape differ from the platform's. */
export function authRefusalAnswer({ status, code, message }: Refusal): Answer {
	const error_code = status === 429 ? 'over_request_rate_limit' : code;
	return { status, json: { code: status, error_code, msg: message } };
}
