import type { Shapes } from './shapes.ts';
import type { World } from './world.ts';

/** What an encoder needs to know of the world and of who asks. */
export type View = {
	world: World;
	shapes: Shapes;
	/** Where the asker sees the platform, `http://127.0.0.1:1234`. */
	origin: string;
	now: number;
};
