// The sheet that is worked on, with all its earlier and later states. Every change makes a new one.

/**
 * @typedef {{name: string, drawing?: string, picture?: string, size?: number, [slot: string]: any}} Item
 * @typedef {{name: string, role: string, [field: string]: any}} Property
 * @typedef {{properties: Property[], items: Item[], defaults: Record<string, any>, [more: string]: any}} Sheet
 */

const MOST = 500; // states that can be gone back to

/** What a row names for this role. Nothing is named for a size: it is a number. @param {any} row @param {string} role @returns {string[]} */
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

  /** @param {(draft: Sheet) => void} change Made on a copy. */
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

  /** A name that none of them has. @param {{name: string}[]} rows @param {string} wanted */
  free(rows, wanted) {
    const taken = new Set(rows.map((row) => row.name));
    for (let number = 1; ; number++) {
      const name = number === 1 ? wanted : `${wanted} ${number}`;
      if (!taken.has(name)) return name;
    }
  }

  /** Items that say themselves that they have this property. @param {string} name @param {string} role */
  having(name, role) {
    return this.sheet.items.filter((item) => named(item, role).includes(name));
  }

  /** Everywhere, and in the defaults. @param {Sheet} draft @param {string} role @param {(names: string[]) => string[]} work */
  everywhere(draft, role, work) {
    for (const row of [...draft.items, draft.defaults]) if (Array.isArray(row[role])) row[role] = work(row[role]);
  }

  /** Every item has it from now on. @param {Property} property */
  give(property) {
    this.change((draft) => {
      for (const item of draft.items) {
        const now = item[property.role] ?? draft.defaults[property.role] ?? [];
        if (!now.includes(property.name)) item[property.role] = [...now, property.name];
      }
    });
  }

  /** No item has it any more. @param {Property} property */
  take(property) {
    this.change((draft) => this.everywhere(draft, property.role, (names) => names.filter((name) => name !== property.name)));
  }

  /** @param {Property} property */
  drop(property) {
    this.change((draft) => {
      this.everywhere(draft, property.role, (names) => names.filter((name) => name !== property.name));
      draft.properties = draft.properties.filter((each) => each.name !== property.name);
    });
  }

  /** With all that names it. @param {Property} property @param {string} name */
  rename(property, name) {
    this.change((draft) => {
      this.everywhere(draft, property.role, (names) => names.map((each) => (each === property.name ? name : each)));
      for (const each of draft.properties) if (each.name === property.name) each.name = name;
    });
  }
  /**
   * It plays another role from now on: it keeps the fields that this one has, and who named it does so there.
   * @param {Property} property @param {string} role @param {string[]} fields
   */
  recast(property, role, fields) {
    this.change((draft) => {
      for (const row of [...draft.items, draft.defaults]) {
        if (!named(row, property.role).includes(property.name)) continue;
        row[property.role] = row[property.role].filter((/** @type {string} */ name) => name !== property.name);
        if (this.slots.includes(role)) row[role] = [...(row[role] ?? draft.defaults[role] ?? []), property.name];
      }
      const kept = Object.entries(property).filter(([name]) => fields.includes(name));
      draft.properties = draft.properties.map((each) => (each.name === property.name ? { name: each.name, role, ...Object.fromEntries(kept) } : each));
    });
  }
}
