import { loadSqlite, type SqliteDatabase, type SqliteValue } from "../../../sqlite/sqlite.ts";
import { type Checkout, failedCallbackTimes } from "./orders.ts";
import { createRandom } from "./random.ts";
import { SECRETS } from "./secrets.ts";
import { deployments, LOGGED, SERVICES } from "./story.ts";
import { USER_COUNT, users } from "./users.ts";

const DDL = `
create table services (id integer primary key, name varchar(64) not null, tier varchar(16) not null,
  owner_team varchar(64) not null, language varchar(32) not null);
create table deployments (id integer primary key, service_id integer not null, version varchar(32) not null,
  status varchar(16) not null, started_at datetime not null, finished_at datetime not null, db_pool_max integer,
  memory_limit_mb integer not null, notes text not null);
create table users (id integer primary key, username varchar(64) not null, country char(2) not null,
  created_at datetime not null, email varchar(190) not null, phone varchar(32) not null,
  password_hash varchar(100) not null, api_token varchar(64) not null);
create table orders (id integer primary key, user_id integer not null, status varchar(20) not null,
  amount_cents integer not null, item_count integer not null, created_at datetime not null,
  confirmed_at datetime);
create table payments (id varchar(32) primary key, order_id integer not null, provider varchar(32) not null,
  state varchar(16) not null, amount_cents integer not null, captured_at datetime, callback_attempts integer not null);
create index idx_orders_created_at on orders (created_at);
create index idx_payments_order_id on payments (order_id);`;

type Row = readonly SqliteValue[];

/** Writes the shop's database: what people bought, who they are, and what was deployed when. */
export async function writeShopDatabase(file: string, checkouts: readonly Checkout[]): Promise<void> {
  const { DatabaseSync } = await loadSqlite();
  const database = new DatabaseSync(file);
  try {
    database.exec("pragma journal_mode = off");
    database.exec("pragma synchronous = off");
    database.exec(DDL);
    database.exec("begin");
    const placed = checkouts.filter(({ outcome }) => outcome !== "REFUSED");
    insert(database, "services", serviceRows());
    insert(database, "deployments", deploymentRows());
    insert(database, "users", userRows());
    insert(database, "orders", [...earlierOrderRows(), ...placed.map(orderRow)]);
    insert(database, "payments", placed.map(paymentRow));
    database.exec("commit");
  } finally {
    database.close();
  }
}

function insert(database: SqliteDatabase, table: string, rows: readonly Row[]): void {
  const places = rows[0]?.map(() => "?").join(", ");
  const statement = database.prepare(`insert into ${table} values (${places})`);
  for (const row of rows) statement.run(...row);
}

function serviceRows(): Row[] {
  return SERVICES.map(({ id, name, tier, team, language }) => [id, name, tier, team, language]);
}

function deploymentRows(): Row[] {
  return deployments(SECRETS.deployPassword).map((row) => [
    row.id,
    row.serviceId,
    row.version,
    row.status,
    datetime(row.from),
    datetime(row.to),
    row.poolMax,
    row.memoryLimitMb,
    row.notes,
  ]);
}

function userRows(): Row[] {
  return users().map((user) => [
    user.id,
    user.username,
    user.country,
    datetime(user.createdAt),
    user.email,
    user.phone,
    user.passwordHash,
    user.apiToken,
  ]);
}

/** The day before, with a few orders that were never paid for: pending, and no part of the incident. */
function earlierOrderRows(): Row[] {
  const random = createRandom(0xea71);
  return Array.from({ length: 300 }, (_, i) => {
    const created = LOGGED.from - 86_400_000 + i * 20_000;
    const pending = i % 50 === 17;
    const confirmed = pending ? null : datetime(created + 31_000);
    const status = pending ? "PAYMENT_PENDING" : "CONFIRMED";
    return [
      5_506_000 + i,
      random.between(1, USER_COUNT),
      status,
      random.between(490, 64_900),
      1,
      datetime(created),
      confirmed,
    ];
  });
}

function orderRow({ orderId, userId, outcome, amountCents, items, answeredAt: at }: Checkout): Row {
  const confirmed = outcome === "CONFIRMED";
  const status = confirmed ? "CONFIRMED" : "PAYMENT_PENDING";
  return [orderId, userId, status, amountCents, items, datetime(at), confirmed ? datetime(at + 31_000) : null];
}

function paymentRow(checkout: Checkout): Row {
  const { paymentId, orderId, outcome, amountCents, answeredAt: at } = checkout;
  const captured = outcome !== "ABANDONED";
  const attempts = outcome === "STUCK" ? failedCallbackTimes(checkout).length : captured ? 1 : 0;
  const capturedAt = captured ? datetime(at + 1_200) : null;
  return [paymentId, orderId, "paylane", captured ? "CAPTURED" : "AUTHORIZED", amountCents, capturedAt, attempts];
}

function datetime(at: number): string {
  return new Date(at).toISOString().slice(0, 19).replace("T", " ");
}
