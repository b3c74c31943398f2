import type { Socket } from 'node:net';

/** Sends and receives lines of JSON over a socket. */
export type LineSocket = {
	/** Sends a message; returns false if the connection was cut because the receiver does not read. */
	send(message: unknown): boolean;
	/** Sends a line that `jsonLineOf` has made once for several receivers. */
	sendLine(line: string): boolean;
	close(): void;
};

type LineSocketOptions = {
	socket: Socket;
	/** The most characters of a line. A longer one cuts the connection. */
	maxLineLength: number;
	/** Receives each line that is JSON; other lines are skipped. */
	onMessage: (message: unknown) => void;
	/** Called once, after the connection was closed or cut by either side. */
	onClose: () => void;
};

// A receiver with this many unread bytes has stopped reading. Its connection is cut, and it may connect again.
const maxUnreadBytes = 32_000_000;

/** The most characters of one message: a list of the largest fleet that the program reads. */
export const maxMessageLength = 48_000_000;

/** The most characters of a message of a follower or a command, which tell little. */
export const maxFollowerMessageLength = 1_000_000;

// No message is nested nearly this deeply.
const maxDepth = 64;

export const jsonLineOf = (message: unknown): string => `${JSON.stringify(message)}\n`;

export function createLineSocket(options: LineSocketOptions): LineSocket {
	const { socket, maxLineLength, onMessage, onClose } = options;
	// A long line arrives in many pieces. Joining all of them at the end costs less than joining after each piece.
	let pieces: string[] = [];
	let length = 0;

	function receive(text: string) {
		let from = 0;
		for (;;) {
			const end = text.indexOf('\n', from);
			const piece = text.slice(from, end < 0 ? undefined : end);
			length += piece.length;
			if (length > maxLineLength) return socket.destroy();
			pieces.push(piece);
			if (end < 0) return;
			const line = pieces.join('');
			pieces = [];
			length = 0;
			from = end + 1;
			passOn(line);
		}
	}

	function passOn(line: string) {
		if (socket.destroyed) return;
		if (isTooDeep(line)) return void socket.destroy();
		let message: unknown;
		try {
			message = JSON.parse(line);
		} catch {
			return;
		}
		onMessage(message);
	}

	socket.setEncoding('utf8');
	socket.on('data', receive);
	// An error is always followed by the end of the connection.
	socket.on('error', () => {});
	socket.once('close', onClose);

	function sendLine(line: string): boolean {
		if (socket.destroyed) return false;
		if (socket.writableLength > maxUnreadBytes) {
			socket.destroy();
			return false;
		}
		socket.write(line);
		return true;
	}

	return {
		sendLine,
		send: message => sendLine(jsonLineOf(message)),
		// The file descriptor closes at once, even if this process is stopped before its next turn.
		close: () => void socket.destroy(),
	};
}

/** Whether a line is nested too deeply. Parsing millions of levels would take hundreds of megabytes. */
function isTooDeep(line: string): boolean {
	let depth = 0;
	let isInText = false;
	for (let at = 0; at < line.length; at += 1) {
		const character = line[at];
		if (isInText) {
			if (character === '\\') at += 1;
			else if (character === '"') isInText = false;
		} else if (character === '"') isInText = true;
		else if (character === '[' || character === '{') depth += 1;
		else if (character === ']' || character === '}') depth -= 1;
		if (depth > maxDepth) return true;
	}
	return false;
}
