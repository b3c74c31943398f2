import { createFleetMap, type FleetMap } from '../map/fleet-map.ts';

export type ViewSelectors = {
	/** The map of the fleet, which keeps what it drew. */
	fleetMap: FleetMap;
};

export const createViewSelectors = (): ViewSelectors => ({ fleetMap: createFleetMap() });
