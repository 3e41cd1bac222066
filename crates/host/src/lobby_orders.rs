//! Orders to a lobby while players connect.

use std::collections::VecDeque;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

/// The teacher's end of a lobby. Pending orders wait for the next lobby.
#[derive(Clone, Debug, Default)]
pub struct LobbyOrders(Arc<OrderQueue>);

#[derive(Debug, Default)]
struct OrderQueue {
    orders: Mutex<VecDeque<LobbyOrder>>,
    added: Notify,
}

/// Something the teacher decided about a client of the lobby.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum LobbyOrder {
    /// Admit the client that waits under this GitHubId.
    Approve {
        /// The GitHubId it logged in with.
        github_id: String,
        /// The address the client connected from.
        from: IpAddr,
    },
    /// Remove the guest or waiting client with this GitHubId.
    SendAway {
        /// The GitHubId it logged in with.
        github_id: String,
        /// The address the client connected from; any if `None`.
        from: Option<IpAddr>,
        /// The reason sent to the client.
        reason: String,
    },
}

impl OrderQueue {
    fn orders(&self) -> MutexGuard<'_, VecDeque<LobbyOrder>> {
        // Orders are put in and taken out whole: a panic elsewhere leaves none half-done.
        self.orders.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl LobbyOrders {
    /// Lets the client in that waits under this GitHubId and connected from this address.
    pub fn approve(&self, github_id: &str, from: IpAddr) {
        self.add(LobbyOrder::Approve { github_id: github_id.to_string(), from });
    }

    /// Removes the guest or waiting client with this GitHubId, only if it connected from this address when one is
    /// given.
    pub fn send_away(&self, github_id: &str, from: Option<IpAddr>, reason: &str) {
        self.add(LobbyOrder::SendAway { github_id: github_id.to_string(), from, reason: reason.to_string() });
    }

    /// Drops the pending orders, for the next lobby.
    pub fn clear(&self) {
        self.0.orders().clear();
    }

    fn add(&self, order: LobbyOrder) {
        self.0.orders().push_back(order);
        self.0.added.notify_one();
    }

    /// Waits for the next order. Cancel-safe: no order is lost if the future is dropped.
    pub(super) async fn next(&self) -> LobbyOrder {
        loop {
            if let Some(order) = self.0.orders().pop_front() {
                return order;
            }
            self.0.added.notified().await;
        }
    }
}
