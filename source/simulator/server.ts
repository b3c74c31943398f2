import type { Server } from 'node:http';
import type { AddressInfo, Server as Socket } from 'node:net';
import { createAdaptorServer, type HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { type Context, Hono } from 'hono';
import { statusWordOf } from './endpoints/encode-computer.ts';
import {
	createEndpoint,
	type Endpoint,
	type EndpointAnswer,
	htmlPage,
} from './endpoints/endpoint.ts';
import type { FaultKind } from './endpoints/faults.ts';
import type { WireShapes } from './endpoints/shapes.ts';
import type { Refusal } from './world/operations.ts';

export type Bindings = { Bindings: HttpBindings };

/** How the server ends a request: with a response, or by cutting the connection. */
type RequestEnding = WireResponse | 'hang' | 'reset' | 'lost' | { truncated: WireResponse };

export type Respond = (endpoint: Endpoint, context: Context<Bindings>) => Promise<RequestEnding>;

type RunningServer = { port: number; close(): Promise<void> };

const unknownEndpoint = createEndpoint('unknown', 'GET /*', () => ({
	refused: { status: 404, code: 'not_found', message: 'There is no such endpoint' },
}));

/** The address of a server: a port on loopback, or a socket that already listens. */
export type ListenTarget = number | Socket;

/** Starts an HTTP server with the endpoints. Resolves once it listens. */
export function startServer(
	endpoints: readonly Endpoint[],
	respond: Respond,
	target: ListenTarget,
): Promise<RunningServer> {
	const app = new Hono<Bindings>();
	const answerRequest = async (endpoint: Endpoint, context: Context<Bindings>) =>
		endRequest(await respond(endpoint, context), context);
	for (const endpoint of endpoints) {
		app.on(endpoint.method, endpoint.path, context => answerRequest(endpoint, context));
	}
	app.all('*', context => answerRequest(unknownEndpoint, context));
	app.onError(error => new Response(`${error.stack}`, { status: 500 }));

	const server = createAdaptorServer({ fetch: app.fetch, overrideGlobalObjects: false }) as Server;
	return new Promise((resolve, reject) => {
		server.once('error', reject);
		server.once('listening', () => {
			const address = server.address() as AddressInfo;
			resolve({ port: address.port, close: () => closeServer(server) });
		});
		if (typeof target === 'number') server.listen(target, '127.0.0.1');
		else server.listen(target);
	});
}

/** Closes the server at once, including connections that still wait for a response. */
function closeServer(server: Server): Promise<void> {
	return new Promise(resolve => {
		server.close(() => resolve());
		server.closeAllConnections();
	});
}

function endRequest(
	ending: RequestEnding,
	{ env: { incoming, outgoing } }: Context<Bindings>,
): Response {
	if (ending === 'hang') return RESPONSE_ALREADY_SENT;
	if (ending === 'reset') incoming.socket.resetAndDestroy();
	else if (ending === 'lost') incoming.socket.destroy();
	else if ('truncated' in ending) {
		const { status, headers, text } = ending.truncated;
		const bytes = Buffer.from(text);
		outgoing.writeHead(status, { ...headers, 'Content-Length': bytes.length + 1 });
		outgoing.write(bytes.subarray(0, Math.ceil(bytes.length / 2)), () => outgoing.destroy());
	} else {
		// Node writes the answer itself, because a `Response` and its streams would take a third of the time of a request.
		const { status, headers, text } = ending;
		outgoing.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(text) });
		outgoing.end(text);
	}
	return RESPONSE_ALREADY_SENT;
}

/** An encoded HTTP response. */
export type WireResponse = { status: number; headers: Record<string, string>; text: string };

export function wireResponseFrom({ status, headers, json, html }: EndpointAnswer): WireResponse {
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
export function refusalAnswer(
	refusal: Refusal,
	shapes: WireShapes,
	origin: string,
): EndpointAnswer {
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
export function authRefusalAnswer({ status, code, message }: Refusal): EndpointAnswer {
	const error_code = status === 429 ? 'over_request_rate_limit' : code;
	return { status, json: { code: status, error_code, msg: message } };
}
