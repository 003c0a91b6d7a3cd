// The sheet under edit, with its undo and redo history. Every change makes a new state.

/**
 * @typedef {{name: string, drawing?: string, picture?: string, size?: number, [slot: string]: any}} Item
 * @typedef {{name: string, role: string, [field: string]: any}} Property
 * @typedef {Record<string, any>} Defaults
 * @typedef {{properties: Property[], items: Item[], defaults: Defaults, [more: string]: any}} Sheet
 */

const MOST = 500; // states kept for undo

/**
 * The properties of a row for this role; none for the size, which is a number.
 * @param {any} row @param {string} role @returns {string[]}
 */
export const named = (row, role) => (Array.isArray(row[role]) ? row[role] : []);

export class Book {
  /** @param {Sheet} sheet @param {string[]} slots @param {() => void} changed */
  constructor(sheet, slots, changed) {
    this.sheet = sheet;
    this.slots = slots;
    this.changed = changed;
    /** @type {Sheet[]} */
    this.past = [];
    /** @type {Sheet[]} */
    this.future = [];
    /** @type {Sheet} */
    this.written = sheet;
  }

  get unsaved() {
    return JSON.stringify(this.sheet) !== JSON.stringify(this.written);
  }

  /** @param {(draft: Sheet) => void} change Applied to a copy. */
  change(change) {
    const draft = structuredClone(this.sheet);
    change(draft);
    if (JSON.stringify(draft) === JSON.stringify(this.sheet)) return;
    this.past = [...this.past.slice(-MOST), this.sheet];
    this.future = [];
    this.sheet = draft;
    this.changed();
  }

  undo() {
    const before = this.past.pop();
    if (!before) return;
    this.future.push(this.sheet);
    this.sheet = before;
    this.changed();
  }

  redo() {
    const after = this.future.pop();
    if (!after) return;
    this.past.push(this.sheet);
    this.sheet = after;
    this.changed();
  }

  /** Find a name that no row has. @param {{name: string}[]} rows @param {string} wanted */
  free(rows, wanted) {
    const taken = new Set(rows.map((row) => row.name));
    for (let number = 1; ; number++) {
      const name = number === 1 ? wanted : `${wanted} ${number}`;
      if (!taken.has(name)) return name;
    }
  }

  /** The items that list this property themselves. @param {string} name @param {string} role */
  having(name, role) {
    return this.sheet.items.filter((item) => named(item, role).includes(name));
  }

  /**
   * Apply `work` to the names of a role in all items and the defaults.
   * @param {Sheet} draft @param {string} role @param {(names: string[]) => string[]} work
   */
  everywhere(draft, role, work) {
    for (const row of [...draft.items, draft.defaults]) {
      if (Array.isArray(row[role])) row[role] = work(row[role]);
    }
  }

  /** Give the property to every item. @param {Property} property */
  give(property) {
    this.change((draft) => {
      for (const item of draft.items) {
        const now = item[property.role] ?? draft.defaults[property.role] ?? [];
        if (!now.includes(property.name)) item[property.role] = [...now, property.name];
      }
    });
  }

  /** Take the property from every item. @param {Property} property */
  take(property) {
    this.change((draft) => {
      this.everywhere(draft, property.role, (names) => names.filter((name) => name !== property.name));
    });
  }

  /** @param {Property} property */
  drop(property) {
    this.change((draft) => {
      this.everywhere(draft, property.role, (names) => names.filter((name) => name !== property.name));
      draft.properties = draft.properties.filter((each) => each.name !== property.name);
    });
  }

  /** Rename the property, also in all rows that name it. @param {Property} property @param {string} name */
  rename(property, name) {
    this.change((draft) => {
      const renamed = (/** @type {string} */ each) => (each === property.name ? name : each);
      this.everywhere(draft, property.role, (names) => names.map(renamed));
      for (const each of draft.properties) if (each.name === property.name) each.name = name;
    });
  }
  /**
   * Change the role of the property: it keeps the fields that the new role has, and rows list it there.
   * @param {Property} property @param {string} role @param {string[]} fields
   */
  recast(property, role, fields) {
    this.change((draft) => {
      for (const row of [...draft.items, draft.defaults]) {
        if (!named(row, property.role).includes(property.name)) continue;
        row[property.role] = named(row, property.role).filter((name) => name !== property.name);
        if (!this.slots.includes(role)) continue;
        row[role] = [...(row[role] ?? draft.defaults[role] ?? []), property.name];
      }
      const kept = Object.entries(property).filter(([name]) => fields.includes(name));
      const recast = { name: property.name, role, ...Object.fromEntries(kept) };
      draft.properties = draft.properties.map((each) => (each.name === property.name ? recast : each));
    });
  }
}
